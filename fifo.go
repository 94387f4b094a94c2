package parley

// fifo is a queue from which items can also be struck out in the middle. Its zero value
// is empty. It does not keep alive what it has given back, and of what was struck out it
// keeps no more than what is left.
type fifo[T interface{ struckOut() bool }] struct {
	items []T
	first int
	dead  int // struck out and still in items
}

// len is how many items wait.
func (f *fifo[T]) len() int { return len(f.items) - f.first - f.dead }

func (f *fifo[T]) push(item T) { f.items = append(f.items, item) }

// front returns the oldest item; the queue must not be empty.
func (f *fifo[T]) front() T {
	for f.items[f.first].struckOut() {
		f.dead--
		f.drop()
	}
	return f.items[f.first]
}

func (f *fifo[T]) pop() T {
	item := f.front()
	f.drop()
	return item
}

// drop forgets the first item. Half of the array is dead space at most, so that this is
// constant time on average and a queue that stays short stays small.
func (f *fifo[T]) drop() {
	var none T
	f.items[f.first] = none
	f.first++
	if f.first*2 >= len(f.items) {
		n := copy(f.items, f.items[f.first:])
		clear(f.items[n:])
		f.items, f.first = f.items[:n], 0
	}
}

// struck notes that an item in the queue has been struck out. Sweeping the dead only when
// they are the most makes this constant time on average, too.
func (f *fifo[T]) struck() {
	if f.dead++; f.dead <= f.len() {
		return
	}
	kept := f.items[:0]
	for _, item := range f.items[f.first:] {
		if !item.struckOut() {
			kept = append(kept, item)
		}
	}
	clear(f.items[len(kept):])
	f.items, f.first, f.dead = kept, 0, 0
}

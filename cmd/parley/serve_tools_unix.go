//go:build unix

package main

// prepare starts the guard before there is anything to look after, so that the first
// group does not have to outlive us by the time that this takes.
func (g *guard) prepare() { g.once.Do(g.start) }

// watchGroup has the guard look after a process group from now on, until gone is closed.
func (g *guard) watchGroup(id int, gone <-chan struct{}) {
	g.prepare()
	if g.orders == nil {
		return
	}
	g.order("+%d\n", id)
	go func() {
		<-gone
		g.order("-%d\n", id)
	}()
}

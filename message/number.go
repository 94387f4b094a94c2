package message

import (
	"strconv"
	"strings"
)

// scanNumber returns the end of the number that begins at text[i], and whether it
// follows the grammar of RFC 8259, section 6. If it does not, end is where it goes
// wrong.
func scanNumber(text []byte, i int) (end int, ok bool) {
	// number = [ minus ] int [ frac ] [ exp ]
	if i < len(text) && text[i] == '-' {
		i++
	}
	first := i
	if i = scanDigits(text, i); i == first {
		return i, false
	}
	if text[first] == '0' && i > first+1 {
		return first + 1, false // no zero before other digits
	}
	if i < len(text) && text[i] == '.' {
		fraction := i + 1
		if i = scanDigits(text, fraction); i == fraction {
			return i, false
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		exponent := i
		if i = scanDigits(text, exponent); i == exponent {
			return i, false
		}
	}
	return i, true
}

// scanDigits returns the end of the digits that begin at text[i].
func scanDigits(text []byte, i int) int {
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i
}

// A decimal is the exact value of a number: its significant digits d1 d2 … dn, of which
// the first and the last are not 0, stand for 0.d1d2…dn × 10^exponent. Zero has no
// digits. Nothing is ever multiplied out, so that 1e999999999 costs no more than the
// text that it is: an id is a peer's text, and math/big would take a gigabyte for that one.
//
// Two numbers are equal if and only if their decimals are, digit for digit, because the
// form has no leading and no trailing zeros.
type decimal struct {
	negative bool
	digits   string // d1 … dn as they stand in the text, maybe with the decimal point among them
	count    int    // n
	exponent int64
}

// parseDecimal reads text, which follows the grammar of numbers. It fails if the
// exponent has more than 18 digits, as its sum with the position of the point may not
// fit an int64 then.
func parseDecimal(text string) (decimal, bool) {
	text, negative := strings.CutPrefix(text, "-")
	mantissa, power := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, power = text[:i], text[i+1:]
	}
	first := strings.IndexAny(mantissa, "123456789")
	if first < 0 {
		// 0, -0 and 0.00e9 are one number, whatever the exponent says.
		return decimal{}, true
	}
	last := strings.LastIndexAny(mantissa, "123456789")
	exponent, ok := parseExponent(power)
	if !ok {
		return decimal{}, false
	}
	point := strings.IndexByte(mantissa, '.')
	if point < 0 {
		point = len(mantissa)
	}
	d := decimal{negative: negative, digits: mantissa[first : last+1]}
	d.count = len(d.digits)
	if first < point && point < last {
		d.count--
	}
	// The first digit stands point-first places before the point, or, since the point
	// itself is no digit, first-point-1 places behind it.
	d.exponent = exponent + int64(point-first)
	if first > point {
		d.exponent++
	}
	return d, true
}

// parseExponent reads what stands behind the e of a number, and takes nothing for 0.
func parseExponent(text string) (int64, bool) {
	text = strings.TrimPrefix(text, "+")
	digits, negative := strings.CutPrefix(text, "-")
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return 0, true
	}
	if len(digits) > 18 {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if negative {
		n = -n
	}
	return n, err == nil
}

// equal compares digit by digit, past the decimal points.
func (d decimal) equal(other decimal) bool {
	if d.negative != other.negative || d.exponent != other.exponent || d.count != other.count {
		return false
	}
	a, b := d.digits, other.digits
	for a != "" && b != "" {
		if a[0] == '.' {
			a = a[1:]
		}
		if b[0] == '.' {
			b = b[1:]
		}
		if a[0] != b[0] { // a point is never the last byte
			return false
		}
		a, b = a[1:], b[1:]
	}
	return true
}

// canonical returns the number as d1d2…dn × 10^k, in the grammar of JSON.
func (d decimal) canonical() string {
	text := strings.Replace(d.digits, ".", "", 1) + "e" + strconv.FormatInt(d.exponent-int64(d.count), 10)
	if d.negative {
		return "-" + text
	}
	return text
}

// integer returns the value if it is an integer that fits an int64.
func (d decimal) integer() (int64, bool) {
	const most = 19 // digits; as many always fit an uint64
	if d.count == 0 {
		return 0, true
	}
	if d.exponent < int64(d.count) || d.exponent > most {
		return 0, false // there are digits behind the point, or too many before it
	}
	var n uint64
	for _, c := range []byte(d.digits) {
		if c != '.' {
			n = n*10 + uint64(c-'0')
		}
	}
	for range d.exponent - int64(d.count) { // the zeros that the form leaves out
		n *= 10
	}
	return signed(n, d.negative)
}

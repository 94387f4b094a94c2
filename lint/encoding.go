package lint

import (
	"bytes"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// badEncoding reports text that is not UTF-8, with the byte, its place, and what it most
// likely comes from. It is false if the text is UTF-8. UTF-16 and UTF-32 are reported
// once: they spoil every line that follows, and there is a NUL in each, since the end of
// a line has some itself.
func (p *pass) badEncoding() bool {
	text := p.text
	nul := bytes.IndexByte(text, 0) >= 0
	if nul && p.wide != "" {
		return true
	}
	// Without a NUL a mark is one only if nothing follows it.
	if name, sign := wide(text); name != "" && (nul || len(text) == 2) {
		p.wide = name
		p.tooWide(sign)
		return true
	}
	if utf8.Valid(text) {
		return false
	}
	at := firstBad(text)
	f := p.finding(notUTF8, at, "", fmt.Sprintf("not UTF-8: byte %02X at byte %d of the record: %s", text[at], at, cause(text, at)))
	p.add(f.advise(remedy(text, at)))
	return true
}

// tooWide reports that the stream is UTF-16 or UTF-32.
func (p *pass) tooWide(sign string) {
	f := p.finding(notUTF8, 0, "", "not UTF-8: "+sign+": this is "+p.wide+"; later lines of it are not reported again")
	if p.wide == "UTF-16" {
		f.Message = "not UTF-8: " + sign + ": this is UTF-16, as a shell writes it when it redirects output; later lines of it are not reported again"
		f = f.advise("in PowerShell redirect with | Out-File -Encoding utf8 or set $OutputEncoding; parley convert --from-encoding utf-16 reads what there is")
	}
	p.add(f)
}

// wide returns UTF-16 or UTF-32 and what that is recognised by, if text is one of them:
// it begins with the mark of that, or has the NULs of ASCII in it, one behind or before
// each character, or three. NULs alone are no text, whatever their number.
func wide(text []byte) (name, sign string) {
	const mark = ", the byte order mark of "
	switch {
	case bytes.HasPrefix(text, []byte("\xFF\xFE\x00\x00")):
		return "UTF-32", "FF FE 00 00" + mark + "UTF-32, at byte 0"
	case bytes.HasPrefix(text, []byte("\x00\x00\xFE\xFF")):
		return "UTF-32", "00 00 FE FF" + mark + "UTF-32, at byte 0"
	case bytes.HasPrefix(text, []byte("\xFF\xFE")):
		return "UTF-16", "FF FE" + mark + "UTF-16, at byte 0"
	case bytes.HasPrefix(text, []byte("\xFE\xFF")):
		return "UTF-16", "FE FF" + mark + "UTF-16, at byte 0"
	}
	// The envelope, with which a line begins, is ASCII. A line may begin in the middle of
	// a character, the bytes of which before that ended the line before.
	const enough = 64
	head := text[:min(len(text), enough)]
	if len(head) < 4 {
		return "", ""
	}
	var nuls, all [4]int
	for i, c := range head {
		all[i%4]++
		if c == 0 {
			nuls[i%4]++
		}
	}
	full, empty := 0, 0 // bits of the places of four that have many NULs, and hardly any
	for i := range nuls {
		if 3*nuls[i] >= 2*all[i] {
			full |= 1 << i
		} else if 4*nuls[i] <= all[i] {
			empty |= 1 << i
		}
	}
	first := bytes.IndexByte(text, 0)
	switch {
	case full|empty != 0b1111:
	case full == 0b0101, full == 0b1010:
		return "UTF-16", fmt.Sprintf("every second byte is NUL, the first at byte %d", first)
	case bits.OnesCount(uint(full)) == 3:
		return "UTF-32", fmt.Sprintf("three of four bytes are NUL, the first at byte %d", first)
	}
	return "", ""
}

// firstBad returns the offset of the first byte that is not UTF-8.
func firstBad(text []byte) int {
	at := 0
	for at < len(text) {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return 0
}

// A guess is what text that is not UTF-8 most likely is.
type guess uint8

const (
	guessLatin  guess = iota // one byte a character: windows-1252, Latin-1 and their like
	guessDouble              // pairs of bytes: GBK, Big5, Shift JIS, EUC-KR
	guessCut                 // UTF-8, and a character that is not whole
)

// guessAt guesses by the byte at fault and those around it.
func guessAt(text []byte, at int) guess {
	run := at // the bytes from at on that are no ASCII
	for run < len(text) && text[run] >= utf8.RuneSelf {
		run++
	}
	if need := runeLength(text[at]); need > 1 {
		// The start of a character of which only the last bytes are missing.
		got := 1
		for at+got < len(text) && got < need && text[at+got]&0xC0 == 0x80 {
			got++
		}
		if got > 1 || run == len(text) && need > 2 {
			return guessCut
		}
	}
	// Pairs: two bytes that are no ASCII, or one and a byte from 0x40 to 0x7E that is no
	// letter of a word. One alone between letters is a letter with an accent.
	if run-at >= 2 && (run-at)%2 == 0 && text[at] >= 0x81 && text[at] != 0xFF {
		return guessDouble
	}
	return guessLatin
}

// runeLength returns how many bytes a character has that begins with b, 0 if none does.
func runeLength(b byte) int {
	switch {
	case 0xC2 <= b && b <= 0xDF:
		return 2
	case 0xE0 <= b && b <= 0xEF:
		return 3
	case 0xF0 <= b && b <= 0xF4:
		return 4
	}
	return 0
}

// cause names the guess.
func cause(text []byte, at int) string {
	switch guessAt(text, at) {
	case guessCut:
		return "the start of a character that is cut off; was the text split, or decoded, in the middle of it?"
	case guessDouble:
		return "likely GBK or another double-byte code page of a Windows console"
	case guessLatin:
	}
	if b := text[at]; 0x80 <= b && b <= 0x9F {
		return "likely windows-1252, the legacy code page of Windows"
	}
	return "likely windows-1252 or Latin-1"
}

// remedy says what to set in the program that wrote the text.
func remedy(text []byte, at int) string {
	if guessAt(text, at) == guessCut {
		return "split bytes at line feeds before they are decoded, and cut a text between characters"
	}
	return notUTF8.Fix
}

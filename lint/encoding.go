package lint

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// badEncoding reports text that is not UTF-8, with the byte, its place, and what it most
// likely comes from. UTF-16 is reported once: it spoils every line that follows.
func (p *pass) badEncoding() {
	text := p.text
	if looksUTF16(text) {
		if !p.first("utf-16") {
			return
		}
		f := p.finding(notUTF8, 0, "", "not UTF-8: "+utf16Sign(text)+": this is UTF-16, as a shell writes it when it redirects output; what follows is not reported again")
		p.add(f.advise("in PowerShell redirect with | Out-File -Encoding utf8 or set $OutputEncoding; parley convert --from-encoding utf-16 reads what there is"))
		return
	}
	at := firstBad(text)
	f := p.finding(notUTF8, at, "", fmt.Sprintf("not UTF-8: byte %02X at byte %d of the record: %s", text[at], at, cause(text, at)))
	p.add(f.advise(remedy(text, at)))
}

// looksUTF16 reports whether text is UTF-16: it begins with the mark of that, or every
// second byte is NUL, as in all text that is mostly ASCII.
func looksUTF16(text []byte) bool {
	if bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF")) {
		return true
	}
	const enough = 8
	head := text[:min(len(text), 512)]
	nuls := bytes.Count(head, []byte{0})
	return len(head) >= enough && 3*nuls >= len(head) || len(head) < enough && len(head) > 0 && 2*nuls >= len(head)
}

// utf16Sign says what UTF-16 is recognised by.
func utf16Sign(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("\xFF\xFE")):
		return "FF FE, the byte order mark of UTF-16, at byte 0"
	case bytes.HasPrefix(text, []byte("\xFE\xFF")):
		return "FE FF, the byte order mark of UTF-16, at byte 0"
	}
	return fmt.Sprintf("every second byte is NUL, the first at byte %d", bytes.IndexByte(text, 0))
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

package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/message"
)

// A sarifReport is SARIF 2.1.0 (OASIS), which code hosts and editors show. The rules come
// first, so that results can be written as they are found.
type sarifReport struct {
	jsonReport
	name  string
	lines bool
}

// sarifSchema is the address of the schema, as the standard has it.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// The parts of SARIF that are used, by the names of the standard.
type (
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID     string    `json:"id"`
		Short  sarifText `json:"shortDescription"`
		Full   sarifText `json:"fullDescription"`
		Help   sarifText `json:"help"`
		Config struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifRegion struct {
		StartLine  int64 `json:"startLine,omitzero"`
		ByteOffset int64 `json:"byteOffset"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region sarifRegion `json:"region"`
		} `json:"physicalLocation"`
		Logical []sarifLogical `json:"logicalLocations,omitzero"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
)

// sarifLevel is the word of the standard for a severity.
func sarifLevel(s lint.Severity) string {
	if s == lint.Info {
		return "note"
	}
	return s.String()
}

func (r *sarifReport) begin(lines bool) error {
	r.lines = lines
	rules := make([]sarifRule, len(lint.Rules))
	for i, rule := range lint.Rules {
		rules[i] = sarifRule{ID: rule.ID, Short: sarifText{rule.Title}, Full: sarifText{rule.Doc}, Help: sarifText{rule.Fix}}
		rules[i].Config.Level = sarifLevel(rule.Severity)
	}
	text, err := message.Encode(rules)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.out, `{"$schema":%q,"version":"2.1.0","runs":[{"tool":{"driver":{"name":"parley lint",`+
		`"informationUri":"https://github.com/parley-rpc/parley","rules":%s}},"results":[`, sarifSchema, text)
	return err
}

func (r *sarifReport) add(f *lint.Finding) error {
	var at sarifLocation
	// A path is no URI: a name may have spaces, and a drive letter looks like a scheme.
	at.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(r.name)}).String()
	at.Physical.Region.ByteOffset = f.Offset
	if r.lines {
		at.Physical.Region.StartLine = max(f.Line, 1)
	}
	if f.Pointer != "" {
		at.Logical = []sarifLogical{{f.Pointer, "member"}}
	}
	return r.element(sarifResult{f.Rule.ID, sarifLevel(f.Severity), sarifText{f.Message}, []sarifLocation{at}})
}

func (r *sarifReport) end() error {
	_, _ = r.out.WriteString("\n]}]}\n") // an error stays, and comes again with Flush
	return r.out.Flush()
}

// A junitReport is the XML that JUnit made a habit: a test for each rule, which fails by
// the findings that --fail-on counts; the others are its output. The numbers stand at its
// start, so that it is written at the end. What it holds until then is bounded as the
// findings of a rule are.
type junitReport struct {
	out      *bufio.Writer
	name     string
	flags    *lintFlags
	findings map[string][]lint.Finding
}

// The parts of the XML, by the names that are common.
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name     string         `xml:"name,attr"`
		Class    string         `xml:"classname,attr"`
		Failures []junitFailure `xml:"failure"`
		Output   string         `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

func (r *junitReport) begin(bool) error {
	r.findings = make(map[string][]lint.Finding)
	return nil
}

func (r *junitReport) add(f *lint.Finding) error {
	r.findings[f.Rule.ID] = append(r.findings[f.Rule.ID], *f)
	return nil
}

func (r *junitReport) flush() error { return nil }

func (r *junitReport) end() error {
	suite := junitSuite{Name: "parley lint " + r.name}
	for _, rule := range lint.Rules {
		if !r.flags.isEnabled(rule) {
			continue
		}
		test := r.test(rule)
		suite.Tests++
		if len(test.Failures) > 0 {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, test)
	}
	text, err := xml.MarshalIndent(junitSuites{Suite: suite}, "", "  ")
	if err != nil {
		return err
	}
	_, _ = io.WriteString(r.out, xml.Header) // an error stays, and comes again with Flush
	_, _ = r.out.Write(append(text, '\n'))
	return r.out.Flush()
}

// test returns the test of one rule.
func (r *junitReport) test(rule *lint.Rule) junitCase {
	test := junitCase{Name: rule.ID, Class: "parley.lint"}
	for _, f := range r.findings[rule.ID] {
		place := fmt.Sprintf("%s:%d: byte %d %s", r.name, f.Line, f.Offset, f.Pointer)
		if f.Severity == lint.Error || f.Severity == lint.Warning && r.flags.failOn == lint.Warning.String() {
			test.Failures = append(test.Failures, junitFailure{f.Message, f.Severity.String(), place + "\n" + f.Fix})
			continue
		}
		test.Output += fmt.Sprintf("%s: %v: %s\n", place, f.Severity, f.Message)
	}
	return test
}

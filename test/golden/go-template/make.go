// Executes templates with real Go. Reads one JSON object per line, {"template": …, "data": …}, and answers each with one
// line: {"output": …}, or {"error": "parse" | "exec" | "panic" | "limit", "line": …, "column": …, "message": …}.
// Columns count bytes from 0, as Go does; parse errors have none.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
)

type request struct {
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data"`
}

type answer struct {
	Output  *string `json:"output,omitempty"`
	Error   string  `json:"error,omitempty"`
	Line    int     `json:"line,omitempty"`
	Column  *int    `json:"column,omitempty"`
	Message string  `json:"message,omitempty"`
}

const name = "t"

var place = regexp.MustCompile(`^template: ` + name + `:(\d+)(?::(\d+))?: `)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		if err := encoder.Encode(run(asked)); err != nil {
			panic(err)
		}
		out.Flush()
	}
}

func run(asked request) (result answer) {
	defer func() {
		if reason := recover(); reason != nil {
			result = answer{Error: "panic", Message: fmt.Sprint(reason)}
		}
	}()
	parsed, err := template.New(name).Funcs(functions()).Parse(asked.Template)
	if err != nil {
		return failed("parse", err)
	}
	for _, each := range parsed.Templates() {
		printByOurRule(each.Root)
		each.Root.Nodes = append([]parse.Node{callOf("clewEnter", each.Root.Pos)}, each.Root.Nodes...)
	}
	calls := 0
	parsed.Funcs(template.FuncMap{"clewEnter": func() (string, error) {
		if calls++; calls > 15 {
			return "", errTooLong
		}
		return "", nil
	}})
	var text limited
	if err := parsed.Execute(&text, decode(asked.Data)); err != nil {
		if errors.Is(err, errTooLong) {
			return answer{Error: "limit"}
		}
		return failed("exec", err)
	}
	output := text.String()
	return answer{Output: &output}
}

func failed(kind string, err error) answer {
	result := answer{Error: kind, Message: err.Error()}
	if found := place.FindStringSubmatch(err.Error()); found != nil {
		result.Line, _ = strconv.Atoi(found[1])
		if found[2] != "" {
			column, _ := strconv.Atoi(found[2])
			result.Column = &column
		}
	}
	return result
}

// Templates that call themselves or print for ever are none to compare.
var errTooLong = errors.New("too long")
type limited struct{ strings.Builder }

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > 4<<20 {
		return 0, errTooLong
	}
	return l.Builder.Write(b)
}

// callOf is an action that calls a function without arguments.
func callOf(function string, pos parse.Pos) *parse.ActionNode {
	call := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pos, Args: []parse.Node{parse.NewIdentifier(function)}}
	pipe := &parse.PipeNode{NodeType: parse.NodePipe, Pos: pos, Cmds: []*parse.CommandNode{call}}
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: pos, Pipe: pipe}
}

// The functions that Clew adds, as far as they can be said in Go.
func functions() template.FuncMap {
	return template.FuncMap{
		"clewPrint": clewPrint,
		"raw":       func(value any) any { return value },
		"json":      toJSON,
		"include":   func(name string, data ...any) string { return "<" + name + ">" },
		"default": func(fallback, value any) any {
			if truth, _ := template.IsTrue(value); truth {
				return value
			}
			return fallback
		},
	}
}

// clewPrint is what an action prints: lists and maps as JSON, nothing for nil, and U+FFFD for each broken byte.
func clewPrint(value reflect.Value) (string, error) {
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Invalid:
		return "", nil
	case reflect.Map, reflect.Slice:
		return toJSON(value.Interface())
	}
	return string([]rune(fmt.Sprint(value.Interface()))), nil
}

func toJSON(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

// printByOurRule lets every action that prints end in clewPrint.
func printByOurRule(node parse.Node) {
	switch node := node.(type) {
	case *parse.ListNode:
		if node == nil {
			return
		}
		for _, each := range node.Nodes {
			printByOurRule(each)
		}
	case *parse.ActionNode:
		if len(node.Pipe.Decl) == 0 {
			node.Pipe.Cmds = append(node.Pipe.Cmds, callOf("clewPrint", node.Pos).Pipe.Cmds...)
		}
	case *parse.IfNode:
		printByOurRule(node.List)
		printByOurRule(node.ElseList)
	case *parse.RangeNode:
		printByOurRule(node.List)
		printByOurRule(node.ElseList)
	case *parse.WithNode:
		printByOurRule(node.List)
		printByOurRule(node.ElseList)
	}
}

// decode reads JSON as Clew does: whole numbers within ±2^53 are ints, all others floats.
func decode(text json.RawMessage) any {
	if len(text) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return convert(value)
}

func convert(value any) any {
	switch value := value.(type) {
	case json.Number:
		number, _ := value.Float64()
		if number == math.Trunc(number) && math.Abs(number) <= 1<<53 {
			return int(number)
		}
		return number
	case []any:
		list := make([]any, len(value))
		for at, each := range value {
			list[at] = convert(each)
		}
		return list
	case map[string]any:
		for key, each := range value {
			value[key] = convert(each)
		}
	}
	return value
}

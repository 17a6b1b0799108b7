import { describe, expect, it } from "vitest";
import { evaluate, execute, segmentsText, type Branches } from "./execute.ts";
import { parseTemplate } from "./parse.ts";
import { Unknown, type Data } from "./unknown.ts";

const data: Data = {
  u: new Unknown("u"),
  text: new Unknown("text", "text"),
  flag: new Unknown("flag", "boolean"),
  step: new Unknown("step", "object", { output: new Unknown("step.output", "text"), n: 3 }),
  items: new Unknown("items", "list"),
  known: [1, 2, 3],
  mixed: [1, { a: new Unknown("m.a", "int") }],
};

const render = (text: string, branches: Branches = "both"): string =>
  segmentsText(execute(parseTemplate("t", text), data, { branches }));

describe("unknown values", () => {
  it("G18 print as placeholders", () => {
    expect(render("{{.u}} {{.text}} {{.u.a.b}} {{.step.output}} {{.step.n}} {{.step.missing}}|")).toBe(
      "⟨u⟩ ⟨text: text⟩ ⟨u.a.b⟩ ⟨step.output: text⟩ 3 |",
    );
    expect(render("{{.mixed}} {{print .mixed}} {{json .mixed}}")).toBe(
      '[1,{"a":"⟨m.a: int⟩"}] [1 map[a:⟨m.a: int⟩]] [1,{"a":"⟨m.a: int⟩"}]',
    );
    expect(evaluate(parseTemplate("t", "{{.text}}"), data)).toBe((data as { text: Unknown }).text);
  });

  it("G18 make calls unknown, with a fitting type", () => {
    expect(render('{{printf "%s" .text}}')).toBe('⟨printf "%s" .text: text⟩');
    expect(render('{{.text | printf "%s" | len}}')).toBe('⟨.text | printf "%s" | len: int⟩');
    expect(render("{{eq .u 1}}{{not .u}}{{slice .u (len .known)}}")).toBe(
      "⟨eq .u 1: boolean⟩⟨not .u: boolean⟩⟨slice .u (len .known)⟩",
    );
    expect(
      render('{{index .u "a"}} {{index .step "n"}} {{index .u 1}} {{index .known .u}} {{index .mixed 1 "a"}}'),
    ).toBe("⟨u.a⟩ 3 ⟨index .u 1⟩ ⟨index .known .u⟩ ⟨m.a: int⟩");
    expect(render("{{and 0 .u}} {{or 1 .u}} {{and 1 .u}} {{or .u 1}} {{.u | or 0}}")).toBe(
      "0 1 ⟨and 1 .u⟩ ⟨or .u 1⟩ ⟨u⟩",
    );
    expect(render('{{default "d" .u}} {{default .u 1}} {{default .u 0}}')).toBe('⟨default "d" .u⟩ 1 ⟨u⟩');
    expect(execute(parseTemplate("t", "{{raw .u}}"), data)).toMatchObject([{ text: "⟨u⟩", raw: true }]);
  });

  it("G18 show both branches of a condition, or one", () => {
    const text = "{{if .flag}}a{{else if .u}}b{{else}}c{{end}}{{with .step}}{{.n}}{{else}}-{{end}}";
    expect(render(text)).toBe("⟨if flag⟩a⟨else⟩⟨if u⟩b⟨else⟩c⟨end⟩⟨end⟩⟨with step⟩3⟨else⟩-⟨end⟩");
    expect(render(text, "first")).toBe("a3");
    expect(render(text, "second")).toBe("c-");
    expect(render("{{if eq .u 1}}a{{end}}")).toBe("⟨if eq .u 1⟩a⟨end⟩");
  });

  it("G18 show a range once", () => {
    const text = "{{range $i, $e := .items}}{{.}}{{$i}}{{$e.x}}{{else}}none{{end}}!";
    expect(render(text)).toBe("⟨each items⟩⟨items[]⟩⟨items#⟩⟨items[].x⟩⟨else⟩none⟨end⟩!");
    expect(render(text, "first")).toBe("⟨items[]⟩⟨items#⟩⟨items[].x⟩!");
    expect(render(text, "second")).toBe("none!");
  });

  it("G18 mark jumps that may not happen", () => {
    const text = "{{range .known}}{{.}}{{if $.u}}{{break}}x{{end}};{{end}}";
    expect(render(text)).toBe("1⟨if u⟩⟨break⟩⟨end⟩;2⟨if u⟩⟨break⟩⟨end⟩;3⟨if u⟩⟨break⟩⟨end⟩;");
    expect(render(text, "first")).toBe("1");
    expect(render(text, "second")).toBe("1;2;3;");
    expect(render("{{if .u}}{{range .known}}{{.}}{{break}}{{end}}{{end}}")).toBe("⟨if u⟩1⟨end⟩");
    expect(render("{{range .items}}a{{continue}}b{{end}}")).toBe("⟨each items⟩a⟨continue⟩⟨end⟩");
  });

  it("G18 make variables unknown that may have changed", () => {
    expect(render("{{$x := 1}}{{$y := 2}}{{if .u}}{{$x = 3}}{{$x}}{{else}}{{$x}}{{end}}{{$x}}{{$y}}")).toBe(
      "⟨if u⟩3⟨else⟩1⟨end⟩⟨$x⟩2",
    );
    expect(render("{{$x := 1}}{{range .items}}{{$x = 2}}{{end}}{{$x}}")).toBe("⟨each items⟩⟨end⟩⟨$x⟩");
    expect(render("{{$x := 1}}{{if .u}}{{$x = 3}}{{end}}{{$x}}", "first")).toBe("3");
  });

  it("G18 do not recurse without end", () => {
    const text = '{{define "tree"}}{{.v}}{{range .kids}}{{template "tree" .}}{{end}}{{end}}{{template "tree" .u}}';
    expect(render(text)).toBe('⟨u.v⟩⟨each u.kids⟩⟨template "tree"⟩⟨end⟩');
    expect(render(text, "first")).toBe("⟨u.v⟩");
  });
});

/**
 * Completion for shells whose way of being asked needs nothing but the shell itself. Each asks `clew complete` for lines
 * of VALUE<Tab>ABOUT and a last one of `:FLAGS`, in which 4 means that no file is meant. What was typed is handed on as
 * words and never read as shell. Reading a script twice is the same as once.
 */
export const completionScripts: Record<string, string> = {
  bash: String.raw`# bash completion for clew
__clew_complete() {
    local rest="$COMP_LINE" word before line value typed=() flags=0 i
    # Bash cuts words at = and :, and the program wants them whole.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word="\${COMP_WORDS[i]}"
        before=" "
        if [[ -n "$word" ]]; then
            before="\${rest%%"$word"*}"
            rest="\${rest#"$before$word"}"
        fi
        if ((i > 0)) && [[ -z "$before" ]]; then
            typed[\${#typed[@]} - 1]+="$word"
        else
            typed+=("$word")
        fi
    done
    local whole="\${typed[\${#typed[@]} - 1]}"
    # Only what stands behind the last cut is replaced.
    local kept="\${whole%"\${whole##*[=:]}"}"
    COMPREPLY=()
    while IFS= read -r line; do
        value="\${line%%$'\t'*}"
        if [[ "$line" =~ ^:[0-9]+$ ]]; then
            flags="\${line#:}"
        elif [[ -n "$value" && "$value" == "$whole"* ]]; then
            COMPREPLY+=("\${value#"$kept"}")
        elif [[ -n "$kept" && -n "$value" && "$value" == "\${whole#"$kept"}"* ]]; then
            COMPREPLY+=("$value")
        fi
    done < <(clew complete -- "\${typed[@]:1}" 2>/dev/null)
    if ((flags & 4)); then compopt +o default 2>/dev/null || :; fi
    return 0
}
complete -o default -F __clew_complete clew
`.replaceAll("\\${", "${"),

  zsh: String.raw`#compdef clew
# zsh completion for clew
_clew() {
    local line value about flags=0
    local -a found
    for line in "\${(@f)$(clew complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ "$line" == :<-> ]]; then
            flags="\${line#:}"
        elif [[ -n "$line" ]]; then
            value="\${line%%$'\t'*}"
            about="\${line#"$value"}"
            found+=("\${value//:/\\:}\${about:+:\${about#?}}")
        fi
    done
    if (( \${#found} )); then
        _describe -t clew clew found
    elif (( ! (flags & 4) )); then
        _files
    fi
}
if [[ "\${funcstack[1]}" == _clew ]]; then
    _clew "$@"
else
    (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i }
    compdef _clew clew
fi
`.replaceAll("\\${", "${"),

  fish: String.raw`# fish completion for clew
function __clew_complete
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    set -l flags 0
    set -l found
    for line in (clew complete -- $typed[2..-1] "$last" 2>/dev/null)
        if string match -qr '^:[0-9]+$' -- $line
            set flags (string sub -s 2 -- $line)
        else if test -n "$line"
            set -a found $line
        end
    end
    if set -q found[1]
        printf '%s\n' $found
    else if test (math "floor($flags / 4) % 2") -eq 0
        __fish_complete_path "$last"
    end
end
complete -c clew -e
complete -c clew -f -a '(__clew_complete)'
`,
};

# SPDX-License-Identifier: Apache-2.0
# Completion of dtrace for fish.  "dtrace --complete" knows what can stand at the cursor.

function __dtrace_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct | string replace -r '^[\'"]' '')
    for line in ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case \tfile
                set -l path (string replace -r '^.*[:=]' '' -- "$word")
                set -l before (string sub -l (math (string length -- "$word") - (string length -- "$path")) -- "$word")
                for found in (__fish_complete_path "$path")
                    echo -- "$before$found"
                end
            case \tdirectory
                __fish_complete_directories "$word"
            case \tcommand
                __fish_complete_command
            case '*'
                echo -- $line
        end
    end
end

complete -c dtrace -f -a '(__dtrace_complete)'

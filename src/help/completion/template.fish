# facescan completion for fish. Generated file; do not edit.
# To install it: {{install}}

set -g __facescan_rows {{rows}}

set -g __facescan_awk {{awk}}

function __facescan_complete
    set -l words (commandline -opc)[2..] "$(commandline -ct)"
    for line in (printf '%s\n' $__facescan_rows | awk $__facescan_awk $words)
        switch $line
            case '@files*'
                __fish_complete_path (commandline -ct)
            case '@directories*'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end

complete -c facescan -f -a '(__facescan_complete)'

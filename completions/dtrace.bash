# SPDX-License-Identifier: Apache-2.0
# Completion of dtrace for bash.  "dtrace --complete" knows what can stand at the cursor.

# Split the command line up to the cursor into words without quotes, in the array words, with the
# quote that the last one leaves open in open.  bash itself splits at ':' and '=' too.
_dtrace_words() {
	local line=${COMP_LINE:0:COMP_POINT} c i word='' begun=''

	words=() open=''
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [[ $open == "'" && $c != "'" ]] || [[ $open == '"' && $c != ['"\'] ]]; then
			word+=$c
		elif [[ $c == "$open" ]]; then
			open=''
		elif [[ -z $open && $c == ["'\""] ]]; then
			open=$c begun=1
		elif [[ $c == \\ ]]; then
			word+=${line:++i:1} begun=1
		elif [[ -z $open && $c == [[:space:]] ]]; then
			[[ -n $begun ]] && words+=("$word")
			word='' begun=''
		else
			word+=$c begun=1
		fi
	done
	words+=("$word")
}

_dtrace() {
	local words open line last typed list=() shown=() i wide=0
	local special=''

	_dtrace_words
	last=${words[-1]}
	while IFS= read -r line; do
		if [[ $line == $'\t'* ]]; then
			special=${line#$'\t'}
		else
			list+=("${line%%$'\t'*}")
			shown+=("${line#*$'\t'}")
		fi
	done < <("$1" --complete "${words[@]:1}" 2>/dev/null)

	typed=${2#[\'\"]}
	case $special in
	file | command)
		compopt -o filenames
		[[ $special == file ]] && special=f || special=c
		mapfile -t COMPREPLY < <(compgen -"$special" -- "$typed")
		return
		;;
	directory)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -d -- "$typed")
		return
		;;
	esac
	# outside of quotes bash replaces only what follows the last ':' or '='
	[[ $open ]] && last='' || last=${last%"${last##*[:=]}"}
	COMPREPLY=("${list[@]#"$last"}")
	case ${#list[@]} in
	0) ;;
	1)
		# more may follow: neither a blank nor the closing quote
		[[ $open || ${list[0]} == *[:=\(\[\>] ]] && compopt -o nospace
		[[ $open ]] && COMPREPLY+=("${COMPREPLY[0]} ")
		;;
	*)
		compopt -o nospace
		[[ $COMP_TYPE == 63 ]] || return
		# they are listed, not inserted: say what each is
		for i in "${COMPREPLY[@]}"; do
			((${#i} > wide)) && wide=${#i}
		done
		for i in "${!COMPREPLY[@]}"; do
			printf -v "COMPREPLY[$i]" '%-*s  %s' "$wide" "${COMPREPLY[i]}" "${shown[i]}"
		done
		;;
	esac
}

complete -F _dtrace dtrace

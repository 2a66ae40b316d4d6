# SPDX-License-Identifier: GPL-2.0-or-later
#
# complete.zsh WORD…: prints what zsh would offer for the last word of a command line. The functions that pass
# completions to the line editor print instead.
fpath=(packaging/completion $fpath)
autoload -U compinit && compinit -C -d $functions_of_zsh
[[ ${_comps[rspctl]} == _rspctl ]] || exit 1

words=("$@") CURRENT=$# PREFIX=${argv[-1]}

compset() {
	PREFIX=${PREFIX#*=}
}

offer() {
	print -rl -- ${(M)@:#${PREFIX}*}
}

compadd() {
	[[ $1 == -a ]] && offer ${(P)2} || offer $@
}

_describe() {
	[[ $1 == -o ]] && shift
	offer ${(P)2%%:*}
}

_files() {
	true
}

_rspctl

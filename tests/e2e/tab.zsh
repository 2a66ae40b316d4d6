# SPDX-License-Identifier: GPL-2.0-or-later
#
# Startup file of an interactive zsh: the key ^G saves the current line to the file $line.
PS1='ready>'
unset HISTFILE
LISTMAX=100000 # otherwise zsh asks before it lists many completions
fpath=($completion $fpath)
autoload -U compinit && compinit -C -d $functions_of_zsh
save_line() {
	print -rn -- $BUFFER >$line.part
	mv $line.part $line
}
zle -N save_line
bindkey '^G' save_line

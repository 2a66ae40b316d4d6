# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an interactive zsh reads at its start: completion, and a key (^G) that saves the line as it is in $line.
PS1='ready>'
unset HISTFILE
LISTMAX=100000 # or else it asks before it lists many
fpath=($completion $fpath)
autoload -U compinit && compinit -D
save_line() {
	print -rn -- $BUFFER >$line.part
	mv $line.part $line
}
zle -N save_line
bindkey '^G' save_line

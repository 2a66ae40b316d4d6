/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See shades.h. */
#include "lib/flame/shades.h"

#include <stdio.h>

/* minimum share of the time of a frame that counts as only running or only waiting */
#define ONLY_SHARE 0.97

/* rsp_shade_fill() mixes the color of a box from the two colors. */
static const struct {
	const char *class, *words;
	unsigned char from[3], to[3];
} shades[RSP_SHADE_MAX] = {
	[RSP_SHADE_NAME] = {"p", "", {0xd6, 0xd9, 0xde}, {0xc4, 0xc8, 0xcf}},
	[RSP_SHADE_USER] = {"u", "runs", {0xf6, 0xb0, 0x70}, {0xe8, 0x70, 0x6c}},
	[RSP_SHADE_KERNEL] = {"k", "runs in the kernel", {0xf6, 0xd8, 0x70}, {0xf0, 0xa8, 0x50}},
	[RSP_SHADE_USER_OFF] = {"u off", "waits", {0xa8, 0xc8, 0xf0}, {0x78, 0xa4, 0xe4}},
	[RSP_SHADE_KERNEL_OFF] = {"k off",
				  "waits in the kernel",
				  {0x98, 0xd8, 0xe4},
				  {0x6c, 0xb8, 0xd0}},
	[RSP_SHADE_USER_BOTH] = {"u both",
				 "runs and waits",
				 {0xc4, 0xac, 0xe8},
				 {0x9c, 0x7c, 0xd0}},
	[RSP_SHADE_KERNEL_BOTH] = {"k both",
				   "both, in the kernel",
				   {0xd8, 0xb8, 0xd4},
				   {0xb8, 0x8c, 0xb4}},
	[RSP_SHADE_WAIT] = {"w", "call, object", {0xc4, 0xcc, 0xe0}, {0xa4, 0xb0, 0xcc}},
	[RSP_SHADE_DISK] = {"d", "disk", {0x9c, 0xd4, 0x98}, {0x70, 0xb8, 0x70}},
	[RSP_SHADE_QUEUE] = {"q", "disk queue", {0x98, 0xdc, 0xe4}, {0x74, 0xcc, 0xd4}},
	[RSP_SHADE_NETWORK] = {"t", "network", {0x60, 0xc0, 0xb4}, {0x3c, 0xa0, 0x94}},
	[RSP_SHADE_CPU] = {"r", "no CPU", {0xf8, 0xd0, 0xe8}, {0xf0, 0xac, 0xd4}},
	[RSP_SHADE_WAKER] = {"a", "waker", {0xf4, 0xdc, 0x80}, {0xe8, 0xc8, 0x50}},
	[RSP_SHADE_NOTE] = {"n", "unknown", {0xcd, 0xc7, 0xbd}, {0xbd, 0xb7, 0xad}},
};

static enum rsp_shade shade_of_frame(bool is_kernel, __u64 off, __u64 total)
{
	double share = total ? (double)off / (double)total : 0;

	if (share >= ONLY_SHARE)
		return is_kernel ? RSP_SHADE_KERNEL_OFF : RSP_SHADE_USER_OFF;
	if (share > 1 - ONLY_SHARE)
		return is_kernel ? RSP_SHADE_KERNEL_BOTH : RSP_SHADE_USER_BOTH;
	return is_kernel ? RSP_SHADE_KERNEL : RSP_SHADE_USER;
}

enum rsp_shade rsp_shade_of(enum rsp_profile_ink ink, __u64 off, __u64 total)
{
	switch (ink) {
	case RSP_PROFILE_USER:
	case RSP_PROFILE_KERNEL:
		return shade_of_frame(ink == RSP_PROFILE_KERNEL, off, total);
	case RSP_PROFILE_WAKER_USER:
		return RSP_SHADE_USER;
	case RSP_PROFILE_WAKER_KERNEL:
		return RSP_SHADE_KERNEL;
	case RSP_PROFILE_WAIT:
		return RSP_SHADE_WAIT;
	case RSP_PROFILE_WAIT_DISK:
		return RSP_SHADE_DISK;
	case RSP_PROFILE_WAIT_QUEUE:
		return RSP_SHADE_QUEUE;
	case RSP_PROFILE_WAIT_NETWORK:
		return RSP_SHADE_NETWORK;
	case RSP_PROFILE_WAIT_CPU:
		return RSP_SHADE_CPU;
	case RSP_PROFILE_WAKER:
		return RSP_SHADE_WAKER;
	case RSP_PROFILE_NOTE:
		return RSP_SHADE_NOTE;
	case RSP_PROFILE_PROCESS:
	case RSP_PROFILE_THREAD:
		break;
	}
	return RSP_SHADE_NAME;
}

const char *rsp_shade_class(enum rsp_shade shade)
{
	return shades[shade].class;
}

const char *rsp_shade_words(enum rsp_shade shade)
{
	return shades[shade].words;
}

/* The upper half of the FNV-1a hash (32 bits) is folded into its lower half. */
static __u32 hash_of(const char *name)
{
	__u32 hash = 2166136261U;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	return hash ^ hash >> 16;
}

void rsp_shade_fill(enum rsp_shade shade, const char *name, char ret[static RSP_SHADE_FILL_MAX])
{
	const unsigned char *from = shades[shade].from, *to = shades[shade].to;
	int share = (int)(hash_of(name) & 0xff), rgb[3];

	for (int i = 0; i < 3; i++)
		rgb[i] = from[i] + (to[i] - from[i]) * share / 255;
	snprintf(ret, RSP_SHADE_FILL_MAX, " style=\"fill:#%02x%02x%02x\"", rgb[0], rgb[1], rgb[2]);
}

void rsp_shade_growth(__u64 after, __u64 before, __u64 most, char ret[static RSP_SHADE_FILL_MAX])
{
	__u64 change = after > before ? after - before : before - after;
	int pale = most ? 235 - (int)((double)change / (double)most * 155) : 235;
	int red = after >= before ? 245 : pale, blue = after > before ? pale : 245;

	if (change == 0)
		red = blue = 235;
	snprintf(ret, RSP_SHADE_FILL_MAX, " style=\"fill:#%02x%02x%02x\"", red, pale, blue);
}

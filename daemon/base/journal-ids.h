/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MESSAGE_IDs of the journal. Each kind of entry has its own random ID, which is never reused. */
#ifndef RSP_DAEMON_JOURNAL_IDS_H
#define RSP_DAEMON_JOURNAL_IDS_H

#define RSP_ID_STARTED	       "76d96742f27c43b0964b719a32204cc6"
#define RSP_ID_STOPPED	       "3b95a30d4d5f483badbf7ca3f9bd4206"
#define RSP_ID_SNAPSHOT	       "74a0ac01b7c14672b213d67c88fec8c4"
#define RSP_ID_SNAPSHOT_FAILED "f80c67477ead44ceb9298324f97ad23c"
#define RSP_ID_BREACH	       "7f4bb7c82cad4e189382447dfffd5580"
#define RSP_ID_LOST	       "0ce40a0e0aeb4c319d040bb49d0b3da7"
#define RSP_ID_SHED	       "8fa7ce0281344077b047d9467513e2cf"
#define RSP_ID_RECOVERED       "39b2fb8ff1914f2093d62445cae10f47"
#define RSP_ID_CONFIG	       "fe9d3a46ac774167877c73461d993955"
#define RSP_ID_RELOADED	       "c1d5862a1e814f9db0c56470d555ed00"
#define RSP_ID_DENIED	       "e0ffd51a5d3e452a91930643b4f32b56"
#define RSP_ID_WORKER_FAILED   "3ab797423dcf45ea9018baef677ffa80"
#define RSP_ID_DELETED	       "6f3e1b3d1ba44ca7938c439eaa34989f"
#define RSP_ID_PAUSED	       "187f9deb2380495a82696064ebabaa53"
#define RSP_ID_RESUMED	       "3d4edf8d018d48d48c70582e33b0c196"
#define RSP_ID_LOG_LEVEL       "b4c1911a2acf468e8f233ca0b80cb8d2"

#endif

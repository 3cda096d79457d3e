; The MMC6: an MMC3 with 1 KiB of RAM of its own.
; https://www.nesdev.org/wiki/MMC3

.define CARD_NAME "MMC6"
MAPPER = 4
SUBMAPPER = 1
MIRRORING = 0
PRG_KIB = 64
CHR_KIB = 32
PRG_WINDOW_KIB = 8
HOME_BANK = 0                   ; the last two pages are always there
ALL_BANKS_BOOT = 0
NEC = 0
MMC6 = 1

.include "mmc3_card.inc"

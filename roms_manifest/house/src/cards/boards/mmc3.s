; The MMC3 with Sharp's IRQ counter: 512 KiB of program, 256 KiB of patterns.
; https://www.nesdev.org/wiki/MMC3

.define CARD_NAME "MMC3"
MAPPER = 4
SUBMAPPER = 0
MIRRORING = 0
PRG_KIB = 512
CHR_KIB = 256
PRG_WINDOW_KIB = 8
HOME_BANK = 0                   ; the last two pages are always there
ALL_BANKS_BOOT = 0
NEC = 0
MMC6 = 0

.include "mmc3_card.inc"

; The MMC3 with NEC's IRQ counter.
; https://www.nesdev.org/wiki/MMC3

.define CARD_NAME "MMC3 NEC"
MAPPER = 4
SUBMAPPER = 4
MIRRORING = 1
PRG_KIB = 64
CHR_KIB = 32
PRG_WINDOW_KIB = 8
HOME_BANK = 0                   ; the last two pages are always there
ALL_BANKS_BOOT = 0
NEC = 1
MMC6 = 0

.include "mmc3_card.inc"

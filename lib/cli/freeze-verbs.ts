import { freezeSite } from '@/lib/settings/freeze-site'
import { getFreeze } from '@/lib/settings/get-freeze'
import { freezeSentence } from '@/lib/settings/read-freeze'
import { unfreezeSite } from '@/lib/settings/unfreeze-site'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'

export type FreezeOptions = CommonOptions & { reason?: string }

export async function freezeAndPrint({ as, json, reason = '' }: FreezeOptions): Promise<void> {
  const freeze = await freezeSite(await actingCtx(as), { reason })
  if (json) return printJson({ freeze })
  printLine('Froze this site. No run or tool can start, and active runs were stopped.')
}

export async function unfreezeAndPrint({ as, json, reason = '' }: FreezeOptions): Promise<void> {
  const changed = await unfreezeSite(await actingCtx(as), { reason })
  if (json) return printJson({ freeze: null })
  printLine(changed ? 'Unfroze this site.' : 'This site was not frozen.')
}

export async function printFreeze({ as, json }: CommonOptions): Promise<void> {
  const freeze = await getFreeze(await actingCtx(as))
  if (json) return printJson({ freeze })
  printLine(freeze ? freezeSentence(freeze) : 'This site is not frozen.')
}

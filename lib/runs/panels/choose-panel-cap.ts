import 'server-only'
import { z } from 'zod'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import { changed, verb } from '@/lib/edge/verb'
import { ConflictError, ForbiddenError } from '@/lib/kernel/errors'
import { costCapChoices } from '@/lib/protocol/cost/cost-caps'
import { CostCapChoice } from '@/lib/protocol/cost/money'
import { PanelStart } from '@/lib/protocol/panel/panel-start'
import { capDecisionOf } from '@/lib/runs/approvals/read-decisions'
import { requirePanel } from './panels'

/**
 * The last choice counts, for the members that go on and for roles that begin later (SPEC Q3). It changes nothing of the caps
 * that members have themselves. Throws ForbiddenError when a member would weaken what an admin chose (SPEC G-X), ConflictError
 * when the panel has ended or has no cap, and NotFoundError when it is not the caller's.
 */
export const choosePanelCap = verb({
  name: 'panel.cost-cap',
  role: 'member',
  scope: 'runs:write',
  summary: 'Chooses what the cost cap of all members of a panel does for the rest of it.',
  input: z.object({ panelId: z.string(), choice: CostCapChoice }),
  output: z.object({ panelId: z.string(), choice: CostCapChoice }),
  run: async ({ tx, ctx, actor: { email } }, { panelId, choice }) => {
    const role = roleWithinKey(ctx)
    const { id } = await requirePanel(ctx, panelId, tx)
    // A role begins with what is chosen by then: the row is locked then, too.
    await tx.$queryRaw`SELECT 1 AS locked FROM panels WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    const panel = await requirePanel(ctx, id, tx)
    const { costCap } = PanelStart.parse(panel.start)
    if (!costCap) throw new ConflictError('This panel has no cost cap.')
    if (!panel.hasTurns && panel.runs.every(({ status }) => status === 'ended'))
      throw new ConflictError('This panel has ended.')
    const before = capDecisionOf(panel)
    const choices = costCapChoices([{ scope: 'panel', ...costCap }], role, before?.byAdmin)
    if (!choices.includes(choice)) {
      throw new ForbiddenError(
        'An admin set what the cost cap of this panel does. You may make it stricter, but not weaker. Ask an admin.',
      )
    }
    await tx.panel.update({
      where: { id },
      data: {
        costCapChoice: choice,
        costCapChosenBy: email,
        ...(role === 'admin' && { costCapByAdmin: choice }),
      },
    })
    const sides = { before: { choice: before?.choice ?? null }, after: { choice } }
    return changed({ panelId: id, choice }, { subject: id, ...sides })
  },
})

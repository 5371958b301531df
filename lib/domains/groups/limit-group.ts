import 'server-only'
import { z } from 'zod'
import { added, LimitNames, sorted } from '@/lib/domains/api-keys/shared/limit-names'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import type { ToolLimits } from '@/lib/protocol/key-limits'
import type { KnownNames } from '@/lib/protocol/tool-access'
import { unknownName } from '@/lib/words/nearest-name'
import { readGroup } from './reads'

/**
 * Returns the verb that limits a group. It counts from the next call on, in active runs, too. Names of tools that are gone may
 * stay.
 */
export function limitGroupVerb(knownNames: (client: Tx) => Promise<KnownNames>) {
  return verb({
    name: 'group.limit',
    mayEndApproval: true,
    role: 'admin',
    scope: null,
    summary: 'Limits the members of a group to tools and tool groups; what is left out stays.',
    reason: 'optional',
    input: z.object({ id: z.string(), tools: LimitNames, toolGroups: LimitNames }),
    needsReauthentication: () => true,
    transaction: changePolicy,
    run: async ({ tx }, { id: idOrName, ...wishes }) => {
      const id = parseId(idOrName, 'The group')
      const group = await readGroup(tx, { id })
      if (!group) throw new NotFoundError('The group')
      const { name, limits: before } = group
      const { tools = before.tools, toolGroups = before.toolGroups } = wishes
      const known = await knownNames(tx)
      const [strange] = added(tools, before.tools).filter((each) => !known.tools.has(each))
      if (strange) throw new ValidationError({ tools: unknownName('tool', strange, known.tools) })
      const [other] = added(toolGroups, before.toolGroups).filter((each) => !known.groups.has(each))
      if (other)
        throw new ValidationError({ toolGroups: unknownName('tool group', other, known.groups) })
      const after: ToolLimits = { tools: sorted(tools), toolGroups: sorted(toolGroups) }
      if (JSON.stringify(after) === JSON.stringify(before)) return unchanged(undefined)
      const limitsNobody = after.tools === null && after.toolGroups === null
      await tx.group.update({
        where: { id },
        data: { limits: limitsNobody ? Prisma.DbNull : after },
      })
      return changed(undefined, {
        subject: id,
        before: { name, ...before },
        after: { name, ...after },
      })
    },
  })
}

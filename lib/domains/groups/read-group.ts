import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import type { GroupDetails } from './schemas'

/** One group with its members (disabled ones too, deleted ones not) and configurations. Admins only. */
export async function readGroup(ctx: Ctx, groupId: string): Promise<GroupDetails> {
  requireRole(ctx, 'admin')
  const row = await db().group.findUnique({
    where: { id: parseId(groupId, 'The group') },
    include: {
      members: { where: { user: { deletedAt: null } }, include: { user: true } },
      configurations: { include: { configuration: true } },
    },
  })
  if (!row) throw new NotFoundError('The group')
  const { id, name, description } = row
  return {
    id,
    name,
    description,
    members: row.members
      .map(({ user }) => ({
        id: user.id,
        email: user.email,
        name: user.name,
        disabled: user.disabledAt !== null,
      }))
      .toSorted((a, b) => a.email.localeCompare(b.email)),
    configurations: row.configurations
      .map(({ configuration }) => ({
        id: configuration.id,
        identifier: configuration.identifier,
        name: configuration.name,
        enabled: configuration.enabled,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}

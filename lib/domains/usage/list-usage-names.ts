import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'

type Named = { id: string; name: string }

/** What usage can be narrowed to, by name. Admins only. */
export async function listUsageNames(
  ctx: Ctx,
): Promise<{ models: Named[]; connections: Named[]; configurations: Named[] }> {
  requireRole(ctx, 'admin')
  const select = { id: true, name: true } as const
  const [models, connections, configurations] = await Promise.all([
    db().model.findMany({
      select: { id: true, displayName: true, connection: { select: { name: true } } },
      orderBy: [{ displayName: 'asc' }, { connection: { name: 'asc' } }],
    }),
    db().connection.findMany({ select, orderBy: { name: 'asc' } }),
    db().configuration.findMany({ select, orderBy: { name: 'asc' } }),
  ])
  return {
    models: models.map(({ id, displayName, connection }) => ({
      id,
      name: `${displayName} (${connection.name})`,
    })),
    connections,
    configurations,
  }
}

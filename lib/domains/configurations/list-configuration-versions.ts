import type { ConfigurationVersion } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import { ConfigurationForm } from '../../protocol/configuration-form'

/** What a configuration was after one change. `createdAt` is ISO 8601. */
export type ConfigurationVersionView = {
  version: number
  note: string
  createdByLabel: string
  createdAt: string
  form: ConfigurationForm
}

const pageSize = 50

/** The versions of a configuration, newest first, 50 a page. None for one without a history. Admins only. */
export async function listConfigurationVersions(
  ctx: Ctx,
  configurationId: string,
  page = 1,
): Promise<{ versions: ConfigurationVersionView[]; total: number; pageSize: number }> {
  requireRole(ctx, 'admin')
  const where = { configurationId: parseId(configurationId, 'The configuration') }
  const [rows, total] = await Promise.all([
    // One more than is shown: the last one is compared with the one before it.
    db().configurationVersion.findMany({
      where,
      orderBy: { version: 'desc' },
      skip: (page - 1) * pageSize,
      take: pageSize + 1,
    }),
    db().configurationVersion.count({ where }),
  ])
  return { versions: rows.map(toVersionView), total, pageSize }
}

export function toVersionView(row: ConfigurationVersion): ConfigurationVersionView {
  const { version, note, createdByLabel, createdAt, data } = row
  return {
    version,
    note,
    createdByLabel,
    createdAt: createdAt.toISOString(),
    form: ConfigurationForm.parse(data),
  }
}

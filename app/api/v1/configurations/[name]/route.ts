import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { deleteConfiguration } from '@/lib/domains/configurations/delete-configuration'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import { UpdateConfiguration } from '@/lib/domains/configurations/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { route } from '@/lib/kernel/http'
import { editConfiguration } from '@/lib/toolset/save-configuration'
import { onlyMethods } from '../../only-methods'
import { configurationAnswer } from '../configuration-answer'

const Changes = UpdateConfiguration.extend({
  version: UpdateConfiguration.shape.version.optional(),
}).strict()

const show = route({ role: 'admin', scope: 'configurations:read' }, async ({ ctx, params }) =>
  configurationAnswer(await readEditableConfiguration(ctx, await idOf(ctx, params))),
)

const change = route(
  { role: 'admin', scope: 'configurations:write', body: Changes },
  async ({ ctx, params, request, body }) => {
    const id = await idOf(ctx, params)
    const version = body.version ?? versionIn(request.headers.get('if-match'))
    await editConfiguration(ctx, id, { ...body, version })
    return configurationAnswer(await readEditableConfiguration(ctx, id))
  },
)

const remove = route(
  { role: 'admin', scope: 'configurations:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await deleteConfiguration(ctx, await idOf(ctx, params), query)
    return new Response(null, { status: 204 })
  },
)

async function idOf(ctx: Ctx, { name = '' }: Record<string, string>): Promise<string> {
  return (await findConfiguration(ctx, name)).id
}

const Version = z.coerce.number().int().positive()

/** `"7"`, as it came in `ETag`. */
function versionIn(ifMatch: string | null): number {
  const version = Version.safeParse(ifMatch?.replace(/^(?:W\/)?"(\d{1,9})"$/, '$1'))
  if (version.success) return version.data
  throw new ValidationError({
    version:
      'Give the version you read, so that no change is lost: its ETag in If-Match, or version in the body.',
  })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PATCH: change,
  DELETE: remove,
})

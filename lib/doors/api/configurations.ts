import { z } from 'zod'
import { WithReason } from '../../domains/audit/audit-reason'
import { deleteConfiguration } from '../../domains/configurations/delete-configuration'
import { findConfiguration } from '../../domains/configurations/find-configuration'
import { listGovernedConfigurations } from '../../domains/configurations/list-governed-configurations'
import {
  type EditableConfiguration,
  readEditableConfiguration,
} from '../../domains/configurations/read-editable-configuration'
import { CreateConfiguration, UpdateConfiguration } from '../../domains/configurations/schemas'
import type { Ctx } from '../../kernel/context'
import { ValidationError } from '../../kernel/errors'
import { addConfiguration, editConfiguration } from '../../toolset/save-configuration'
import { AnyObject, endpoint } from './endpoint'

/** Returns a configuration with its version, which a change names in `If-Match` or in its body. */
function configurationAnswer({ id, version, form }: EditableConfiguration, status = 200): Response {
  return Response.json({ id, version, ...form }, { status, headers: { etag: `"${version}"` } })
}

const Changes = UpdateConfiguration.extend({
  version: UpdateConfiguration.shape.version.optional(),
}).strict()

async function idOf(ctx: Ctx, { name = '' }: Record<string, string>): Promise<string> {
  return (await findConfiguration(ctx, name)).id
}

const Version = z.coerce.number().int().positive()

/** Returns the version in `"7"`, as it was sent in `ETag`. */
function versionIn(ifMatch: string | null): number {
  const version = Version.safeParse(ifMatch?.replace(/^(?:W\/)?"(\d{1,9})"$/, '$1'))
  if (version.success) return version.data
  throw new ValidationError({
    version:
      'Give the version you read, so that no change is lost: its ETag in If-Match, or version in the body.',
  })
}

const Configuration = z.looseObject({ id: z.string(), version: z.number() })

export const configurationEndpoints = [
  endpoint(
    'GET',
    '/configurations',
    {
      role: 'admin',
      scope: 'configurations:read',
      summary: 'Lists configurations with their policy.',
      answers: { 200: z.object({ configurations: z.array(AnyObject) }) },
    },
    async ({ ctx }) => Response.json({ configurations: await listGovernedConfigurations(ctx) }),
  ),
  endpoint(
    'POST',
    '/configurations',
    {
      role: 'admin',
      scope: 'configurations:write',
      body: CreateConfiguration.strict(),
      summary: 'Adds a configuration.',
      answers: { 201: Configuration },
    },
    async ({ ctx, body }) => {
      const { id } = await addConfiguration(ctx, body)
      const answer = configurationAnswer(await readEditableConfiguration(ctx, id), 201)
      answer.headers.set('location', `/api/v1/configurations/${id}`)
      return answer
    },
  ),
  endpoint(
    'GET',
    '/configurations/{name}',
    {
      role: 'admin',
      scope: 'configurations:read',
      summary: 'Returns a configuration by identifier or id; its version is its ETag.',
      answers: { 200: Configuration },
    },
    async ({ ctx, params }) =>
      configurationAnswer(await readEditableConfiguration(ctx, await idOf(ctx, params))),
  ),
  endpoint(
    'PATCH',
    '/configurations/{name}',
    {
      role: 'admin',
      scope: 'configurations:write',
      body: Changes,
      summary: 'Changes a configuration; the version that was read goes into If-Match or the body.',
      answers: { 200: Configuration },
    },
    async ({ ctx, params, request, body }) => {
      const id = await idOf(ctx, params)
      const version = body.version ?? versionIn(request.headers.get('if-match'))
      await editConfiguration(ctx, id, { ...body, version })
      return configurationAnswer(await readEditableConfiguration(ctx, id))
    },
  ),
  endpoint(
    'DELETE',
    '/configurations/{name}',
    {
      role: 'admin',
      scope: 'configurations:write',
      query: WithReason,
      summary: 'Deletes a configuration that nothing uses.',
      answers: { 204: null },
    },
    async ({ ctx, params, query }) => {
      await deleteConfiguration(ctx, await idOf(ctx, params), query)
      return new Response(null, { status: 204 })
    },
  ),
]

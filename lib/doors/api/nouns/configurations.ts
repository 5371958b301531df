import { z } from 'zod'
import {
  findConfiguration,
  listGovernedConfigurations,
  readEditableConfiguration,
} from '@/lib/domains/configurations/reads'
import {
  EditableConfiguration,
  GovernedConfiguration,
  UpdateConfiguration,
} from '@/lib/domains/configurations/schemas'
import { deleteConfiguration } from '@/lib/domains/configurations/verbs'
import { endpoint, factsOf, serve } from '@/lib/doors/api/endpoint'
import { addConfiguration, editConfiguration } from '@/lib/joined-verbs'
import { ValidationError } from '@/lib/kernel/errors'

const { form, ...rest } = EditableConfiguration.shape
const Configuration = form.extend(rest)

/** Returns a configuration with its version, which a change names in `If-Match` or in its body. */
function configurationAnswer({ id, version, form }: EditableConfiguration, status = 200): Response {
  return Response.json({ id, version, ...form }, { status, headers: { etag: `"${version}"` } })
}

const Changes = UpdateConfiguration.omit({ id: true })
  .extend({ version: UpdateConfiguration.shape.version.optional() })
  .strict()

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

/** A configuration is named by its id or identifier. */
export const configurationEndpoints = [
  serve('GET', '/configurations', listGovernedConfigurations, {
    answers: { 200: z.object({ configurations: z.array(GovernedConfiguration) }) },
    answer: ({ output }) => Response.json({ configurations: output }),
  }),
  serve('POST', '/configurations', addConfiguration, {
    answers: { 201: Configuration },
    answer: async ({ ctx, output: { id } }) => {
      const answer = configurationAnswer(await readEditableConfiguration(ctx, { id }), 201)
      answer.headers.set('location', `/api/v1/configurations/${id}`)
      return answer
    },
  }),
  serve('GET', '/configurations/{id}', readEditableConfiguration, {
    answers: { 200: Configuration },
    answer: ({ output }) => configurationAnswer(output),
  }),
  // By hand: the version may come in a header.
  endpoint(
    'PATCH',
    '/configurations/{id}',
    {
      ...factsOf(editConfiguration),
      body: Changes,
      summary: 'Changes a configuration; the version that was read goes into If-Match or the body.',
      answers: { 200: Configuration },
      takesHeader: 'if-match',
    },
    async ({ ctx, params, request, body }) => {
      const { id } = await findConfiguration(ctx, params.id ?? '')
      const ifMatch = request.headers.get('if-match')
      const version = ifMatch === null ? (body.version ?? versionIn(null)) : versionIn(ifMatch)
      if (body.version !== undefined && body.version !== version)
        throw new ValidationError({ version: 'If-Match names another version. Give one of them.' })
      await editConfiguration(ctx, { ...body, id, version })
      return configurationAnswer(await readEditableConfiguration(ctx, { id }))
    },
  ),
  serve('DELETE', '/configurations/{id}', deleteConfiguration),
]

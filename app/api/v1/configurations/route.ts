import { listGovernedConfigurations } from '@/lib/domains/configurations/list-governed-configurations'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import { CreateConfiguration } from '@/lib/domains/configurations/schemas'
import { route } from '@/lib/kernel/http'
import { addConfiguration } from '@/lib/toolset/save-configuration'
import { onlyMethods } from '../only-methods'
import { configurationAnswer } from './configuration-answer'

const list = route({ role: 'admin', scope: 'configurations:read' }, async ({ ctx }) =>
  Response.json({ configurations: await listGovernedConfigurations(ctx) }),
)

const add = route(
  { role: 'admin', scope: 'configurations:write', body: CreateConfiguration.strict() },
  async ({ ctx, body }) => {
    const { id } = await addConfiguration(ctx, body)
    const answer = configurationAnswer(await readEditableConfiguration(ctx, id), 201)
    answer.headers.set('location', `/api/v1/configurations/${id}`)
    return answer
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: add,
})

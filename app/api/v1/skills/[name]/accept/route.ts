import { z } from 'zod'
import { acceptSkillChange } from '@/lib/domains/skills/accept-skill-change'
import { findSkill } from '@/lib/domains/skills/find-skill'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../../only-methods'

/** The checksum of the waiting version that was read. Only exactly this version is accepted. */
const Accept = z.strictObject({
  checksum: z.string().regex(/^[0-9a-f]{64}$/, 'A checksum is 64 hexadecimal digits.'),
})

const accept = route(
  { role: 'admin', scope: 'skills:write', body: Accept },
  async ({ ctx, params, body: { checksum } }) => {
    const { id, name } = await findSkill(ctx, params.name ?? '')
    return Response.json({ id, name, ...(await acceptSkillChange(ctx, id, checksum)) })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ POST: accept })

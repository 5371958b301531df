import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { requireSkill } from './require-skill'

export type AttachmentKey = { configurationId: string; skillId: string }

/** Both sides of an attachment, whether it is there or not. NotFoundError when either is missing. */
export async function requireAttachment(tx: Tx, asked: AttachmentKey) {
  const configurationId = parseId(asked.configurationId, 'The configuration')
  const configuration = await tx.configuration.findUnique({
    where: { id: configurationId },
    select: { identifier: true },
  })
  if (!configuration) throw new NotFoundError('The configuration')
  const skill = await requireSkill(tx, asked.skillId)
  const key: AttachmentKey = { configurationId, skillId: skill.id }
  return { key, facts: { configuration: configuration.identifier, skill: skill.name } }
}

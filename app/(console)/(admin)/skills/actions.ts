'use server'
import { reloadSkillFolder } from '@toolgate/server/domains/skills/folder-verbs'
import { deleteSkill } from '@toolgate/server/domains/skills/verbs'
import { acceptSkill, restoreSkill, turnSkill } from '@toolgate/server/joined-verbs'
import { action } from '@/lib/next/action'

const everywhere = { refresh: 'everything' } as const

export const readFolderAgain = action(reloadSkillFolder, everywhere)
export const switchSkill = action(turnSkill, everywhere)
export const acceptChange = action(acceptSkill, everywhere)
export const restoreVersion = action(restoreSkill, everywhere)
export const removeSkill = action(deleteSkill, { refresh: '/skills' })

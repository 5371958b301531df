'use client'
import { useOptimistic, useTransition } from 'react'
import { sendAction, useDone } from '@/components/forms/use-act'
import {
  type AttachedSkill,
  type AttachedSkillChange,
  withChange,
} from '@/components/nouns/attached-skill'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/kernel/action'
import { sendChange } from './attached-skill-change'
import { attachedSkillMessage, type SkillUndo } from './attached-skill-message'
import { addSkillHere, setSkillsHere } from './skill-actions'

/** Returns the skills as they will be once the server accepts the changes, and functions that change them with Undo. */
export function useAttachedSkills(configurationId: string, stored: AttachedSkill[]) {
  const [skills, show] = useOptimistic(stored, withChange)
  const [pending, startTransition] = useTransition()
  const toast = useToast()
  const tellDone = useDone()

  const send = (work: () => Promise<ActionResult<unknown>>, change?: AttachedSkillChange) =>
    startTransition(async () => {
      if (change) show(change)
      const result = await sendAction(work)
      if (!result.ok) {
        const { message } = result.error
        toast({ tone: 'error', title: 'The skills were not saved', description: message })
        return
      }
      if (!change) return
      const { title, undo } = attachedSkillMessage(change, stored)
      tellDone({ title, undo: () => sendUndo(configurationId, undo), about: change.skillId })
    })
  return {
    skills,
    pending,
    add: (skillId: string) => send(() => addSkillHere({ configurationId, skillId })),
    change: (change: AttachedSkillChange) =>
      send(() => sendChange(configurationId, change), change),
  }
}

function sendUndo(configurationId: string, undo: SkillUndo): Promise<ActionResult<unknown>> {
  return undo.type === 'change'
    ? sendChange(configurationId, undo.change)
    : setSkillsHere({ configurationId, skills: undo.skills })
}

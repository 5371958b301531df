'use client'
import { useOptimistic, useState, useTransition } from 'react'
import { sendAction, useDone } from '@/components/forms/use-act'
import { type AttachedSkill, withChange } from '@/components/nouns/attached-skill'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/next/action'
import { type SentChange, sendChange } from './attached-skill-change'
import { attachedSkillMessage, type SkillUndo } from './attached-skill-message'
import { setSkillsHere } from './skill-actions'

/** Returns the skills as they will be once the server accepts the changes, and functions that change them with Undo. */
export function useAttachedSkills(configurationId: string, stored: AttachedSkill[]) {
  const [skills, show] = useOptimistic(stored, withChange)
  const [pending, startTransition] = useTransition()
  const toast = useToast()
  const tellDone = useDone()

  const [question, setQuestion] = useState<Question | null>(null)

  const send = (change: SentChange) =>
    startTransition(async () => {
      if (change.type !== 'add') show(change)
      const result = await sendAction(() => sendChange(configurationId, change))
      if (!result.ok) {
        const { message, fields } = result.error
        if (fields?.confirmed !== undefined) return setQuestion({ change, message })
        toast({ tone: 'error', title: 'The skills were not saved', description: message })
        return
      }
      // The section below says how many tools remain.
      if (change.type === 'add') return
      const { title, undo } = attachedSkillMessage(change, stored)
      tellDone({ title, undo: () => sendUndo(configurationId, undo), about: change.skillId })
    })
  return {
    skills,
    pending,
    add: (skillId: string) => send({ type: 'add', skillId }),
    change: send,
    question,
    endQuestion: () => setQuestion(null),
  }
}

/** A change that leaves no tool, with what the server says of it. */
export type Question = { change: SentChange; message: string }

function sendUndo(configurationId: string, undo: SkillUndo): Promise<ActionResult<unknown>> {
  return undo.type === 'change'
    ? sendChange(configurationId, undo.change)
    : setSkillsHere({ configurationId, skills: undo.skills })
}

'use client'
import { type ReactNode, useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/send-action'
import { useToast } from '@/components/ui/toast'
import { freeze, unfreeze } from './freeze-actions'

const words = {
  freeze: {
    title: 'Freeze this site',
    description:
      'No run and no tool call starts until an admin unfreezes it. Runs under way end within two seconds, whoever started them; what they wrote so far is kept.',
    required: 'Say why: everybody will read it.',
    hint: 'Everybody who is signed in reads it, and it is kept in the audit.',
    failed: 'The site was not frozen',
    done: 'This site is frozen',
  },
  unfreeze: {
    title: 'Unfreeze this site',
    description:
      'Runs and tools may start again at once, as the switches and rules allow. Runs that the freeze ended stay ended.',
    required: null,
    hint: 'Kept in the audit.',
    failed: 'The site is still frozen',
    done: 'This site is not frozen any more',
  },
} as const

/** Freezing or unfreezing the site for whoever offers it: `ask` opens the dialog, which has to be shown. */
export function useFreeze(act: keyof typeof words): { ask: () => void; dialog: ReactNode } {
  const [asking, setAsking] = useState(false)
  const toast = useToast()
  const { done, ...texts } = words[act]
  const submit = async (reason: string) => {
    const send = act === 'freeze' ? freeze : unfreeze
    const result = await sendAction(() => send({ reason }))
    if (!result.ok) return result.error
    setAsking(false)
    toast({ tone: 'ok', about: 'freeze', title: done })
    return null
  }
  return {
    ask: () => setAsking(true),
    dialog: asking && (
      <ReasonDialog
        {...texts}
        danger={act === 'freeze'}
        onSubmit={submit}
        onClose={() => setAsking(false)}
      />
    ),
  }
}

'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'
import { forgetStart, sentStart } from './sent-start'

/** A request that was sent may be stored after the page that sent it was left. */
const looksAfterMs = [0, 1_000, 2_000]

export type FindStart = (start: { key: string }) => Promise<ActionResult<boolean>>

/** Says once that a start never reached the server. `find` asks whether it did. */
export function LostStart({ find }: { find: FindStart }) {
  const toast = useToast()
  const router = useRouter()
  const say = useEffectEvent((words: string) =>
    toast({
      tone: 'error',
      title: 'A run did not start',
      description: `You left before it was sent: “${visibleText(words)}”. Run it again.`,
      action: { label: 'Open the Playground', onClick: () => router.push('/playground') },
    }),
  )
  // External systems: the browser's storage, and the server.
  useEffect(() => {
    const start = sentStart()
    if (!start) return
    const look = async (place: number) => {
      const found = await sendAction(() => find({ key: start.key }))
      // Without an answer, the next page looks again. A start of this page is its own matter.
      if (!found.ok || sentStart()?.key !== start.key) return
      if (found.value) return forgetStart()
      const nextMs = looksAfterMs[place + 1]
      if (nextMs !== undefined) {
        timer = setTimeout(look, nextMs, place + 1)
        return
      }
      forgetStart()
      say(start.words)
    }
    let timer = setTimeout(look, looksAfterMs[0], 0)
    return () => clearTimeout(timer)
  }, [find])
  return null
}

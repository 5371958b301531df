'use client'
import { useRouter } from 'next/navigation'
import { useLayoutEffect, useRef } from 'react'
import { forgetStart, noteStart } from '@/components/shell/sent-start'
import { useToast } from '@/components/ui/toast'
import { firstWords } from '@/lib/words/clean-text'

/**
 * Follows a start whose page may be left before the answer. `isThere`: the page still shows the form; elsewhere, a message says
 * how the start ended.
 */
export function useSentStart() {
  const toast = useToast()
  const router = useRouter()
  const there = useRef(true)
  const page = useRef('')
  // A layout effect ends with the page that shows the form; an effect ends some time later, or not where the form is hidden.
  useLayoutEffect(() => {
    there.current = true
    return () => {
      there.current = false
    }
  }, [])
  return {
    isThere: () => there.current && window.location.pathname === page.current,
    sending: (key: string, words: string) => {
      page.current = window.location.pathname
      noteStart(key, firstWords(words))
    },
    answered: forgetStart,
    // A page that is being left ends its requests, too. Then the note stays for the next page.
    unanswered: () => void setTimeout(forgetStart, 1_000),
    started: (href: string) => {
      toast({
        tone: 'ok',
        title: 'Your run started',
        action: { label: 'Open', onClick: () => router.push(href) },
      })
      // The page that is shown instead may be a list of runs.
      router.refresh()
    },
    refused: (message: string) =>
      toast({ tone: 'error', title: 'A run did not start', description: message }),
  }
}

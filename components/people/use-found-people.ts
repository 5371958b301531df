'use client'
import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import type { ActionResult } from '@/lib/kernel/action'

export type Person = { id: string; name: string; email: string }

/** Asks the server for people by name or address, a few at a time. */
type FindPeople = (input: {
  search: string
}) => Promise<ActionResult<{ rows: Person[]; total: number }>>

const FindPeopleContext = createContext<FindPeople>(() => {
  throw new Error('A search for people stands in a FindPeopleProvider.')
})

export const FindPeopleProvider = FindPeopleContext.Provider

/** Null = not answered yet. */
export type FoundPeople = { rows: Person[]; total: number } | { problem: string } | null

const pauseMs = 200

/** Outside system: the server, asked after a pause in typing; an answer to an older question is dropped. */
export function useFoundPeople(open: boolean, search: string): FoundPeople {
  const find = useContext(FindPeopleContext)
  const [found, setFound] = useState<FoundPeople>(null)
  // A new `find` function alone does not start a search.
  const ask = useEffectEvent((text: string) => sendAction(() => find({ search: text })))
  useEffect(() => {
    if (!open) return
    let wanted = true
    const timer = setTimeout(async () => {
      const result = await ask(search)
      if (wanted) setFound(result.ok ? result.value : { problem: result.error.message })
    }, pauseMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [open, search])
  return found
}

'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { pause, readThrough } from '@/components/shell/queries'
import type { ActionResult } from '@/lib/next/action'

export type Person = { id: string; name: string; email: string }

/** Asks the server for people by name or address, a few at a time. */
type FindPeople = (input: {
  search: string
}) => Promise<ActionResult<{ rows: Person[]; total: number }>>

const FindPeopleContext = createContext<FindPeople>(() => {
  throw new Error('A search for people stands in a FindPeopleProvider.')
})

export const FindPeopleProvider = FindPeopleContext.Provider

/** Null = the server has not answered yet. */
export type FoundPeople = { rows: Person[]; total: number } | { problem: string } | null

const pauseMs = 200

/** Asks the server after a pause in typing. Returns the people found before until it answers. */
export function useFoundPeople(open: boolean, search: string): FoundPeople {
  const find = useContext(FindPeopleContext)
  const { data, error } = useQuery({
    queryKey: ['people', search],
    queryFn: async ({ signal }) => {
      await pause(pauseMs, signal)
      return readThrough(() => find({ search }))
    },
    enabled: open,
    placeholderData: keepPreviousData,
  })
  return error ? { problem: error.message } : (data ?? null)
}

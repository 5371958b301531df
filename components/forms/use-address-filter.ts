'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { addressOf } from './address-of'

export type FilterValues = Record<string, string | undefined>

const pauseMs = 250

const nothing: FilterValues = {}

/** Keeps the filter in the address. Typing changes it after a short pause, everything else at once. `kept` stays. */
export function useAddressFilter(path: string, values: FilterValues, kept = nothing) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const current = addressOf(path, { ...values, ...kept })
  const [typed, setTyped] = useState<FilterValues>({})
  const [seen, setSeen] = useState({ current, asked: current })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Outside system: the clock that waits for a pause in typing.
  useEffect(() => () => clearTimeout(timer.current), [])

  // The address changed. Unless the typed text caused that, the fields get the values of the address.
  if (current !== seen.current) {
    setSeen({ current, asked: current })
    if (current !== seen.asked) setTyped({})
  }
  const go = (part: FilterValues) => {
    clearTimeout(timer.current)
    const next = { ...values, ...typed, ...part }
    const trimmed = Object.fromEntries(
      Object.entries(next).map(([key, value]) => [key, value?.trim()]),
    )
    const address = addressOf(path, { ...trimmed, ...kept })
    setSeen({ current, asked: address })
    startTransition(() => router.replace(address, { scroll: false }))
  }
  const pick = (name: string, value: string | undefined) => {
    setTyped({ ...typed, [name]: value ?? '' })
    go({ [name]: value })
  }
  const type = (name: string, text: string) => {
    setTyped({ ...typed, [name]: text })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => go({ [name]: text }), pauseMs)
  }
  const clear = () => {
    const nothing = Object.fromEntries(Object.keys(values).map((key) => [key, '']))
    setTyped(nothing)
    go(nothing)
  }
  return {
    valueOf: (name: string) => typed[name] ?? values[name] ?? '',
    pick,
    type,
    clear,
    pending,
  }
}

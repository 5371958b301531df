'use client'
import { useEffect, useRef } from 'react'

/**
 * Returns a function that focuses the element with an id after the next render, for rows that are added, removed and
 * moved. External system: the document's focus, which an element loses when it is moved or removed.
 */
export function useFocusAfter(): (id: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    document.getElementById(wanted.current)?.focus()
    wanted.current = null
  })
  return (id) => {
    wanted.current = id
  }
}

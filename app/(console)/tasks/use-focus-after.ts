'use client'
import { useEffect, useRef } from 'react'

/**
 * For rows that come, go and move: gives the focus to the element with this id once they are drawn. Outside system: the
 * document's focus, which a browser takes from what is moved or gone.
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

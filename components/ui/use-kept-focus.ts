'use client'
import { useEffect, useRef } from 'react'

/** Returns focus to a button whose row moved. External system: the document's focus, which the move removes. */
export function useKeptFocus() {
  const ref = useRef<HTMLButtonElement>(null)
  const wanted = useRef(false)
  useEffect(() => {
    const { activeElement, body } = document
    if (wanted.current && activeElement === body) ref.current?.focus()
    else if (activeElement !== ref.current) wanted.current = false
  })
  const keepFocus = () => {
    wanted.current = true
  }
  return { ref, keepFocus }
}

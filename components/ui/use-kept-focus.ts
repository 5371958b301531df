'use client'
import { useEffect, useRef } from 'react'

/** A browser takes the focus from a button whose row is moved. Outside system: the document's focus. */
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

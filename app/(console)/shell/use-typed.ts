'use client'
import { useCallback, useEffect, useRef } from 'react'

/**
 * Keeps what is typed from the moment the palette is asked for until its field takes the keys. Returns a function that gives
 * it out once, and leaves the keys to the field from then on.
 */
export function useTyped(open: boolean): () => string {
  const typed = useRef('')
  const stop = useRef(() => {})
  // External system: the keyboard.
  useEffect(() => {
    if (!open) return
    typed.current = ''
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (event.key.length === 1) typed.current += event.key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', listen, { capture: true })
    stop.current = () => document.removeEventListener('keydown', listen, { capture: true })
    return () => stop.current()
  }, [open])
  return useCallback(() => {
    stop.current()
    const given = typed.current
    typed.current = ''
    return given
  }, [])
}

'use client'
import { type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'

type AreaProps = {
  onFiles: (files: File[]) => void
  onPaste?: (files: File[]) => void
  className?: string
  children: ReactNode
}

/** Takes files that are dropped anywhere in it, and pasted ones where `onPaste` is given. */
export function FileDropArea({ onFiles, onPaste, className, children }: AreaProps) {
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a FilePicker in it does the same by keyboard
    <div
      className={cn(
        'flex flex-col gap-2 rounded-md',
        className,
        over && 'outline-2 outline-accent outline-dashed',
      )}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
      onPaste={(event) => {
        if (!onPaste || event.clipboardData.files.length === 0) return
        event.preventDefault()
        onPaste([...event.clipboardData.files])
      }}
    >
      {children}
    </div>
  )
}

type PickerProps = {
  label: string
  /** Media types and endings of the files; left out: any. */
  accept?: string
  onFiles: (files: File[]) => void
  hint: ReactNode
  size?: 'sm'
  ref?: Ref<HTMLButtonElement>
  /** The words of the button, with an icon in front. */
  children: ReactNode
}

/** Shows a button that lets the browser pick files, with a hint beside it. */
export function FilePicker({ label, accept, onFiles, hint, size, ref, children }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <>
      <Button ref={ref} size={size} aria-describedby={id} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <p id={id} className="text-muted text-sm">
        {hint}
      </p>
      <input
        ref={input}
        type="file"
        multiple
        accept={accept}
        aria-label={label}
        className="hidden"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'

type Props = { src: string; alt: string; className: string; lazy?: boolean; children: ReactNode }

/** Shows an image as it was uploaded, and `children` where the browser cannot show it. */
export function AssetImage({ src, alt, className, lazy = false, children }: Props) {
  const image = useRef<HTMLImageElement>(null)
  const [isBroken, setBroken] = useState(false)
  // External system: the browser, which may have given up before React was ready.
  useEffect(() => {
    const shown = image.current
    if (shown?.complete && shown.naturalWidth === 0 && !lazy) setBroken(true)
  }, [lazy])
  if (isBroken) return children
  return (
    // biome-ignore lint/performance/noImgElement: shown as it was uploaded, to whoever may read it
    <img
      ref={image}
      src={src}
      alt={alt}
      {...(lazy && { loading: 'lazy' })}
      onError={() => setBroken(true)}
      className={className}
    />
  )
}

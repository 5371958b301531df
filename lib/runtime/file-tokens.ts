import type { Attachment, Message } from '@/lib/protocol/message'
import type { ModelTarget } from '@/lib/protocol/model-target'

const none: readonly Attachment[] = []

export function attachmentsOf(message: Message): readonly Attachment[] {
  return (message.role !== 'assistant' && message.attachments) || none
}

/** What stands around the text of a file: its tags and marker. */
const aroundText = 256
const usualImage = 1_600
const usualPage = 2_300
const bytesOfPage = 50 * 1024
/** Scanned pages are large: how long a file is says less and less about how many it has. */
const mostUsualPages = 15

/** About how many tokens a file is in a request. */
export function likelyFileTokens({ type, bytes }: Attachment): number {
  if (type === 'text/plain') return Math.ceil(bytes / 4) + 64
  if (type !== 'application/pdf') return usualImage
  return Math.min(Math.ceil(bytes / bytesOfPage), mostUsualPages) * usualPage
}

/**
 * The most tokens of one image: what Claude's and Gemini's documentation gives for the largest image they look at, and for
 * every other provider the dearest published one (GPT-4o mini: 2,833 and 8 tiles of 5,667).
 */
const mostOfImage = { claudeAndGemini: 5_000, others: 48_200 }
/** 100 pages of 3,000 tokens of text and an image each, the longest file that Claude reads; the window caps it. */
const mostOfPdf = 100 * (3_000 + 1_600)

/** The most tokens that a provider can count of these files (SPEC M2). */
export function mostFileTokens(
  files: readonly Attachment[],
  { wire }: Pick<ModelTarget, 'wire'>,
): number {
  const isModest = wire === 'anthropic' || wire === 'bedrock' || wire === 'gemini'
  const image = isModest ? mostOfImage.claudeAndGemini : mostOfImage.others
  return files.reduce((sum, { type, bytes, mostTokens }) => {
    if (type === 'text/plain') return sum + aroundText + (mostTokens ?? bytes)
    return sum + (type === 'application/pdf' ? mostOfPdf : image)
  }, 0)
}

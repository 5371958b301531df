import { ToolError } from '@/lib/protocol/tool'
import type { WebAccess } from '../tool-resources'
import { TooLongError } from './read-decoded'

const mebibyte = 1024 * 1024
/** Bytes that are taken before a request, so that a run without any left sends none. */
const firstBytes = 64 * 1024
/** Bytes that are taken at once while content of unknown length arrives. */
const stepBytes = mebibyte

/**
 * Bytes that one call may read. It takes them from the budget of its run as it needs them, always before it keeps
 * content, so that simultaneous calls share the budget and never read more than the run may.
 */
export class Allowance {
  #host = ''
  #taken = 0
  #read = 0

  constructor(
    readonly web: WebAccess,
    readonly runId: string,
    readonly most: number,
  ) {}

  /** Takes what a request to a host needs before it is sent, and counts the host. Throws ToolError. */
  async begin(host: string): Promise<void> {
    this.#host = host
    await this.#take(this.#taken === 0 ? Math.min(firstBytes, this.most) : 0)
  }

  /** Makes room for content of this length, before it is read. Throws ToolError, and TooLongError beyond the most. */
  async expect(length: number): Promise<void> {
    await this.#makeRoom(length, length)
  }

  /** Counts what was read so far, and makes room for more of it. Throws ToolError, and TooLongError beyond the most. */
  async count(read: number): Promise<void> {
    this.#read = read
    await this.#makeRoom(read, Math.min(this.#taken + stepBytes, this.most))
  }

  /** Counts all that was taken as read, for what has no content to count. */
  countAll(): void {
    this.#read = this.#taken
  }

  /** Gives back what was taken and not read. */
  async end(): Promise<void> {
    const used = Math.min(this.#read, this.#taken)
    await this.web.settle({ runId: this.runId, reserved: this.#taken, used })
  }

  /** Takes what is lacking for `length` bytes, and more where there is more, up to `wanted`. */
  async #makeRoom(length: number, wanted: number): Promise<void> {
    if (length > this.most) throw new TooLongError(this.most)
    if (length <= this.#taken) return
    await this.#take(Math.max(length, wanted) - this.#taken)
    if (length > this.#taken) throw overBudget('bytes')
  }

  async #take(bytes: number): Promise<void> {
    const reserved = await this.web.reserve({ runId: this.runId, host: this.#host, bytes })
    if (reserved.type === 'refused') throw overBudget(reserved.why)
    this.#taken += reserved.bytes
  }
}

export const overBudgetCode = 'web-budget'

const budgetWords = {
  bytes:
    'This run has read as much of the web as it may (50 MiB), or other calls of it are reading now.',
  hosts: 'This run has read as many hosts as it may (20). Go on with those.',
  unknown:
    'What this run reads of the web could not be noted, so nothing is read. Try again later.',
}

function overBudget(why: keyof typeof budgetWords): ToolError {
  return new ToolError(overBudgetCode, budgetWords[why])
}

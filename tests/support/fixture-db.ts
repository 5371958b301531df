import type { PrismaClient } from '@/lib/generated/prisma/client'
import {
  db as clientOfVerbs,
  type PolicyTx,
  type Tx,
  withTransaction as transaction,
} from '@/lib/kernel/db'

/** Returns a client, else that of this process's database, as tests use it: it also writes what is left to verbs. */
export function db(client: Tx = clientOfVerbs()): PrismaClient {
  return client as PrismaClient
}

/** Runs one transaction in which a test writes whatever it needs. */
export function withTransaction<T>(work: (tx: PolicyTx) => Promise<T>): Promise<T> {
  return transaction((tx) => work(tx as PolicyTx))
}

import { z } from 'zod'

/** The services take about as much. */
const LONGEST = 400
const MOST = 10

const query = z.string().trim().min(1, 'A query cannot be empty.').max(LONGEST)

/** One query or a list of them, as a list in which each stands once. */
export const queries = z
  .union([query, z.array(query).min(1).max(MOST)])
  .transform((given) => [...new Set(typeof given === 'string' ? [given] : given)])

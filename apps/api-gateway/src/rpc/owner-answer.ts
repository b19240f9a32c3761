/**
 * The answer of the service that owns an operation. The body of a success is passed on as the same bytes: parsing and
 * serializing a page of alerts would cost more than all other work of the gateway.
 */
import { Fault, statusOfCode, type Answer, type FaultCode, type SessionChange } from '@ams/contracts';

export type OwnerAnswer =
  | {
      ok: true;
      status: 200 | 201 | 202 | 204;
      body: Uint8Array | string;
      version: number | null;
      session?: SessionChange;
    }
  | { ok: false; fault: Fault };

// Owners write an Answer as `{"ok":true,"status":200,"body":` … `,"version":null}`. Any other form is parsed.
const headLength = '{"ok":true,"status":200,"body":'.length;
const head = /^\{"ok":true,"status":(200|201),"body":$/;
const tail = /\},"version":(null|\d{1,15})\}$/;
const tailLength = 32;
const openBrace = '{'.charCodeAt(0);

/** Throws when the data is not an Answer. */
export function readOwnerAnswer(data: Uint8Array, requestId: string): OwnerAnswer {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const begin = head.exec(bytes.toString('latin1', 0, headLength));
  if (begin && bytes[headLength] === openBrace) {
    const end = tail.exec(bytes.toString('latin1', Math.max(headLength, bytes.length - tailLength)));
    if (end) {
      const body = bytes.subarray(headLength, bytes.length - end[0].length + 1);
      return {
        ok: true,
        status: begin[1] === '200' ? 200 : 201,
        body,
        version: end[1] === 'null' ? null : Number(end[1]),
      };
    }
  }
  return parseAnswer(JSON.parse(bytes.toString()) as Answer, requestId);
}

function parseAnswer(answer: Answer, requestId: string): OwnerAnswer {
  if (answer.ok)
    return {
      ok: true,
      status: answer.status,
      body: JSON.stringify(answer.body ?? null),
      version: answer.version ?? null,
      ...(answer.session && { session: answer.session }),
    };
  if (!(answer.code in statusOfCode)) throw new Error(`an owner answered with the unknown code ${String(answer.code)}`);
  const details = answer.code === 'INTERNAL_ERROR' || answer.code === 'UNAVAILABLE' ? { requestId } : answer.details;
  return { ok: false, fault: new Fault<FaultCode>(answer.code, details as never, answer.message) };
}

// Draws the icons of public/: `node build/icons.mjs`. The bell is a few shapes, given as distances, so that every size is
// drawn exactly and no program is needed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const accent = [0x41, 0x51, 0xbe];
const white = [255, 255, 255];

// All in a square from -1 to 1, y downwards. Negative inside.
const circle = (x, y, cx, cy, r) => Math.hypot(x - cx, y - cy) - r;
const box = (x, y, w, h, r) => {
  const [dx, dy] = [Math.abs(x) - w + r, Math.abs(y) - h + r];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - r;
};

/** The bell: a dome on a body that widens, a rim, a clapper. */
function bell(x, y) {
  const dome = circle(x, y, 0, -0.14, 0.34);
  const width = 0.34 + Math.max(0, y + 0.02) * 0.28;
  const body = Math.max(Math.abs(x) - width, -y - 0.14, y - 0.3);
  const rim = box(x, y - 0.3, 0.52, 0.065, 0.065);
  const clapper = Math.max(circle(x, y, 0, 0.41, 0.14), 0.4 - y);
  const knob = circle(x, y, 0, -0.5, 0.075);
  return Math.min(dome, body, rim, clapper, knob);
}

const svgBell = `<path d="M34 57V43a16 16 0 0 1 32 0v14q2 5 3 8H31q1-3 3-8z"/><circle cx="50" cy="25" r="4"/>
  <rect x="24" y="61.5" width="52" height="7" rx="3.5"/><path d="M43 71h14a7 7 0 0 1-14 0z"/>`;

/** RGBA of a square icon. `edge`: the rounding of the background; null for a bell without one. */
function draw(size, { edge, scale }) {
  const pixels = Buffer.alloc(size * size * 4);
  const samples = 4;
  for (let py = 0; py < size; py++) {
    for (let px = 0; px < size; px++) {
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let s = 0; s < samples * samples; s++) {
        const x = ((px + ((s % samples) + 0.5) / samples) / size) * 2 - 1;
        const y = ((py + (Math.floor(s / samples) + 0.5) / samples) / size) * 2 - 1;
        const isBell = bell(x / scale, y / scale) < 0;
        if (!isBell && (edge === null || box(x, y, 1, 1, edge) >= 0)) continue;
        const colour = isBell ? white : accent;
        red += colour[0];
        green += colour[1];
        blue += colour[2];
        alpha += 1;
      }
      const covered = Math.max(alpha, 1);
      pixels.set(
        [red / covered, green / covered, blue / covered, (alpha / (samples * samples)) * 255].map(Math.round),
        (py * size + px) * 4,
      );
    }
  }
  return pixels;
}

/** A PNG (RFC 2083) with 8 bits for each of red, green, blue and alpha. */
function png(size, pixels) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body) >>> 0);
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.concat(
    Array.from({ length: size }, (_, y) =>
      Buffer.concat([Buffer.from([0]), pixels.subarray(y * size * 4, (y + 1) * size * 4)]),
    ),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const folder = join(import.meta.dirname, '../public');
const icons = {
  'icon-180.png': [180, { edge: 0, scale: 0.95 }],
  'icon-192.png': [192, { edge: 0.4, scale: 1.05 }],
  'icon-512.png': [512, { edge: 0.4, scale: 1.05 }],
  'icon-maskable-512.png': [512, { edge: 0, scale: 0.8 }],
  'badge-96.png': [96, { edge: null, scale: 1.6 }],
};
for (const [name, [size, form]] of Object.entries(icons))
  writeFileSync(join(folder, name), png(size, draw(size, form)));
writeFileSync(
  join(folder, 'icon.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <rect width="100" height="100" rx="20" fill="#4151be"/>
  <g fill="#fff">${svgBell}</g>
</svg>
`,
);

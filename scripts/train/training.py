"""The loop that the fully convolutional networks are trained in: batches are made by a
process of their own, the rate falls along a cosine, and a running average of the
weights is what is exported."""

import multiprocessing
import time

import numpy as np
import torch


def train(out, network, average, steps, seed, peak_rate, batches, loss_of, agreement, words):
    """Goes on from out/state.pt, or begins, and keeps it up to date.

    `batches`: a generator of (input, truth), by seed. `loss_of` and `agreement` take what
    the network says and the truth; `words` name what `agreement` gives.
    """
    out.mkdir(parents=True, exist_ok=True)
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak_rate, weight_decay=0.02)
    step = 0
    state = out / "state.pt"
    if state.exists():
        saved = torch.load(state)
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimiser.load_state_dict(saved["optimiser"])
        step = saved["step"]
    queue = multiprocessing.Queue(8)
    # A resumed run draws other pictures than an undisturbed one.
    maker = multiprocessing.Process(target=_make, args=(batches, seed + step, queue), daemon=True)
    maker.start()
    started, shown = time.time(), []
    network.train()
    while step < steps:
        warm = min(1.0, (step + 1) / 150)
        fall = 0.5 * (1 + np.cos(np.pi * step / steps))
        for group in optimiser.param_groups:
            group["lr"] = peak_rate * warm * (0.01 + 0.99 * fall)
        x, truth = (torch.from_numpy(b) for b in queue.get())
        outputs = network(x)
        loss = loss_of(outputs, truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        follow = 1 - min(0.995, (1 + step) / (10 + step))
        with torch.no_grad():
            for a, b in zip(average.state_dict().values(), network.state_dict().values()):
                if a.dtype.is_floating_point:
                    a.lerp_(b, follow)
                else:
                    a.copy_(b)
        shown.append((loss.item(), *agreement(outputs.detach(), truth)))
        if step % 50 == 0:
            mean = np.mean(shown[-50:], axis=0)
            told = " ".join(f"{word} {value:.3f}" for word, value in zip(words, mean[1:]))
            print(f"step {step} loss {mean[0]:.4f} {told} {time.time() - started:.0f} s", flush=True)
        if step % 100 == 0 or step == steps:
            torch.save({"network": network.state_dict(), "average": average.state_dict(),
                        "optimiser": optimiser.state_dict(), "step": step}, out / "state.new")
            (out / "state.new").replace(state)
    maker.terminate()


def _make(batches, seed, queue):
    for batch in batches(seed):
        queue.put(batch)
